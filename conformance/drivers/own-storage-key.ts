/**
 * Gives this page a value of its own under a key of `localStorage`, which pages of other suites would share and change at any
 * time. Returns how to set it, and how to go back to sharing.
 */
export function ownStorageKey(key: string): {
  readonly set: (value: string | null) => void;
  readonly restore: () => void;
} {
  let own: string | null = null;
  const { getItem, setItem, removeItem } = Storage.prototype;
  Storage.prototype.getItem = function (this: Storage, name) {
    return name === key ? own : getItem.call(this, name);
  };
  Storage.prototype.setItem = function (this: Storage, name, value) {
    if (name === key) own = value;
    else setItem.call(this, name, value);
  };
  Storage.prototype.removeItem = function (this: Storage, name) {
    if (name === key) own = null;
    else removeItem.call(this, name);
  };
  return {
    set: (value) => {
      own = value;
    },
    restore: () => Object.assign(Storage.prototype, { getItem, setItem, removeItem }),
  };
}
