import type { Key } from '@hearth/core/tree/key.ts';
import { nodeAt } from '@hearth/core/tree/node.ts';
import { exportJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, type Path } from '@hearth/core/tree/path.ts';
import { mergePush, setPush } from '@hearth/core/wire/down.ts';
import { Frame } from '../commit/frame.ts';
import { type CommitWrite, writePath } from '../log/commit.ts';
import type { TouchedPlace } from './touched-places.ts';
import type { TreeView } from './tree-view.ts';
import type { WriteTexts } from './write-texts.ts';

/** The text of a push, which has the tag of whoever it is for. */
export type TaggedPush = (tag: number) => string;

/** Makes the pushes to default listens of one commit, and keeps those that several places share. */
export class DefaultFrames {
  readonly #frames = new Map<CommitWrite, Frame>();
  readonly #view: TreeView;
  readonly #texts: WriteTexts;

  /** `view` is the state after the commit. */
  constructor(view: TreeView, texts: WriteTexts) {
    this.#view = view;
    this.#texts = texts;
  }

  /** Refuses with `read/too-big` when the push would be longer than any answer may be. */
  at({ place, over, below }: TouchedPlace): Frame {
    if (over !== null && over.kind !== 'priority') {
      if (over.path.length === place.path.length) return this.#ofWrite(over);
      return new Frame(setPush(formatPath(place.path), this.#jsonBelow(over, place.path)));
    }
    const only = below[0];
    if (only !== undefined && below.length === 1) return this.#ofWrite(only);
    const fields = below.map((write) => deepField(place.path, write, this.#texts));
    return new Frame(mergePush(formatPath(place.path), `{${fields.join(',')}}`));
  }

  #jsonBelow(over: CommitWrite & { readonly kind: 'node' | 'linked' }, path: Path): string {
    if (over.kind === 'linked') return this.#view.nodeJson(path, 'export');
    return exportJson(nodeAt(over.node, path.slice(over.path.length)));
  }

  /** The push of one write at its own path; the same for every listen above it. */
  #ofWrite(write: CommitWrite): Frame {
    let frame = this.#frames.get(write);
    if (frame === undefined) {
      frame = new Frame(setPush(writePath(write), this.#texts.of(write)));
      this.#frames.set(write, frame);
    }
    return frame;
  }
}

/** All that a query shows, as JSON text of an object or null. */
export function wholePush(path: Path, json: string): TaggedPush {
  return (tag) => setPush(formatPath(path), json, tag);
}

/**
 * What left a query's window, what entered it, as JSON text of an object or null, and the writes below children that
 * stayed; `null` when there is nothing of all this. Refuses with `read/too-big` as `WriteTexts` does.
 */
export function changePush(
  path: Path,
  left: readonly Key[],
  enteredJson: string,
  inside: readonly CommitWrite[],
  texts: WriteTexts,
): TaggedPush | null {
  const hasEntered = enteredJson !== 'null';
  const only = inside[0];
  if (only !== undefined && inside.length === 1 && left.length === 0 && !hasEntered) {
    const json = texts.of(only);
    return (tag) => setPush(writePath(only), json, tag);
  }
  const fields = left.map((key) => `${JSON.stringify(key)}:null`);
  if (hasEntered) fields.push(enteredJson.slice(1, -1));
  for (const write of inside) fields.push(deepField(path, write, texts));
  if (fields.length === 0) return null;
  const json = `{${fields.join(',')}}`;
  return (tag) => mergePush(formatPath(path), json, tag);
}

function deepField(ancestor: Path, write: CommitWrite, texts: WriteTexts): string {
  return `${JSON.stringify(writePath(write, ancestor.length))}:${texts.of(write)}`;
}
