#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import UIKit

    extension UIImageView {
        /// Loads the image at a URL from `ResponseCache.shared` or the network, shows it, and passes it to a closure.
        ///
        /// The view's tag is set to `index`. If the tag has changed by the time the image is loaded, the view is not
        /// changed.
        public func loadImageAtURL(
            _ url: URL, index: Int, completion: @escaping @MainActor (UIImage?, Int) -> Void = { _, _ in }
        ) {
            tag = index
            Task { [weak self] in
                let data = try? await ResponseCache.shared.data(from: url)
                let image = await data.flatMap { UIImage(data: $0) }?.byPreparingForDisplay()
                guard let self, tag == index else { return }
                if let image { self.image = image }
                setNeedsLayout()
                completion(image, index)
            }
        }
    }
#endif
