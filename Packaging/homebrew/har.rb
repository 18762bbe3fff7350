# A Homebrew formula that builds har and har-serve with Xcode. It has not been tried on a Mac.
# RELEASING.md describes how to publish it in a tap.
class Har < Formula
  desc "Inspect, redact, convert, record, serve and replay HTTP archives (HAR)"
  homepage "https://github.com/OWNER/relay"
  license "MIT"
  head "https://github.com/OWNER/relay.git", branch: "main"

  depends_on xcode: ["26.0", :build]
  depends_on "brotli"
  depends_on "libarchive"
  depends_on :macos
  depends_on macos: :sequoia
  depends_on "xz"
  depends_on "yajl"

  uses_from_macos "zlib"

  def install
    # The sandbox of SwiftPM does not work in the sandbox of Homebrew.
    args = ["--disable-sandbox", "--configuration", "release", "--traits", "default,Server"]
    system "swift", "build", *args, "--product", "har"
    system "swift", "build", *args, "--product", "har-serve"
    # har-serve finds its page in its own folder.
    libexec.install ".build/release/har", ".build/release/har-serve"
    libexec.install Dir[".build/release/Relay_har-serve.{bundle,resources}"]
    bin.install_symlink libexec/"har", libexec/"har-serve"
    generate_completions_from_executable(bin/"har", "--generate-completion-script", shells: [:bash, :zsh, :fish])
  end

  test do
    (testpath/"empty.har").write <<~JSON
      {"log": {"version": "1.2", "creator": {"name": "brew", "version": "1"}, "entries": []}}
    JSON
    assert_match "0 errors", shell_output("#{bin}/har check empty.har")
    assert_match "OVERVIEW", shell_output("#{bin}/har serve --help")
  end
end
