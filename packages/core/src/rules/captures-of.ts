/** The names of the captures of a location, with their `$`. */
export function capturesOf(location: readonly string[]): readonly string[] {
  return location.filter((name) => name.startsWith('$'));
}
