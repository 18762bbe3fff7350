#if canImport(UIKit) && !os(watchOS)
    public import Foundation
    public import UIKit

    extension UIImageView {
        /// Shows the image of a URL, from `ResponseCache.shared` or else from the network, and gives it to a closure.
        ///
        /// The index becomes the tag; a view that has another one by then is left alone.
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
