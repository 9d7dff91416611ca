/** Joins the segments of one direction of a connection into messages. */
export class FrameAssembler {
  #missing = 0;
  #parts: string[] = [];

  /** Takes one text frame; returns a message when it is complete. The keepalive `0` is a message. */
  add(frame: string): string | undefined {
    if (this.#missing > 0) {
      this.#parts.push(frame);
      this.#missing -= 1;
      if (this.#missing > 0) return undefined;
      const text = this.#parts.join('');
      this.#parts = [];
      return text;
    }
    if (/^[1-9][0-9]{0,5}$/.test(frame)) {
      this.#missing = Number(frame);
      return undefined;
    }
    return frame;
  }
}
