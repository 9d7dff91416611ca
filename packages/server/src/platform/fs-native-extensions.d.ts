declare module 'fs-native-extensions' {
  /**
   * Takes the exclusive lock of a whole open file. Returns false if another open file description holds it.
   * The kernel releases the lock when the descriptor is closed or the process ends, however it ends.
   */
  export function tryLock(descriptor: number): boolean;
}
