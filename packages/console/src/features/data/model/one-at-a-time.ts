/**
 * Does something one time after the other. However often it is asked for while it is under way, it is done once more after that,
 * so that the last time has begun after all that asked for it.
 */
export function oneAtATime(act: () => Promise<void>): () => void {
  let isUnderWay = false;
  let isAskedFor = false;
  return async () => {
    isAskedFor = true;
    if (isUnderWay) return;
    isUnderWay = true;
    try {
      while (isAskedFor) {
        isAskedFor = false;
        await act();
      }
    } finally {
      isUnderWay = false;
    }
  };
}
