/**
 * A function that is computed once for each object, and remembered as long as that is. So what is read of a record is made
 * once while the record stays as it is, because books show the same object again. The results are shared, and what else they are
 * made of must be the same for the same object.
 */
export function onceForEach<Of extends object, Rest extends readonly unknown[], Result extends object>(
  make: (of: Of, ...rest: Rest) => Result,
): (of: Of, ...rest: Rest) => Result {
  const made = new WeakMap<Of, Result>();
  return (of, ...rest) => {
    const known = made.get(of);
    if (known !== undefined) return known;
    const result = make(of, ...rest);
    made.set(of, result);
    return result;
  };
}
