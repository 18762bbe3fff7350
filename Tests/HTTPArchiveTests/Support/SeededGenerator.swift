import PlantedSecrets

/// A random generator that returns the same numbers for the same seed.
typealias SeededGenerator = PlantGenerator
