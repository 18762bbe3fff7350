/// A number that is a type, so that a class can be made for it while the program runs.
///
/// `URLSession` is told which classes load its requests, and makes their objects itself: what such an object is to know
/// from the start can only be in its class. A type takes about 200 bytes, once for each number.
protocol TypeNumber {
    static var value: Int { get }
}

enum TypeZero: TypeNumber {
    static var value: Int { 0 }
}

enum TypeEven<Half: TypeNumber>: TypeNumber {
    static var value: Int { 2 * Half.value }
}

enum TypeOdd<Half: TypeNumber>: TypeNumber {
    static var value: Int { 2 * Half.value + 1 }
}

/// The type of a number that is not negative, made of as many types as it has binary digits.
func typeNumber(_ number: Int) -> any TypeNumber.Type {
    guard number > 0 else { return TypeZero.self }
    func double<Half: TypeNumber>(_: Half.Type) -> any TypeNumber.Type {
        number.isMultiple(of: 2) ? TypeEven<Half>.self : TypeOdd<Half>.self
    }
    return double(typeNumber(number / 2))
}
