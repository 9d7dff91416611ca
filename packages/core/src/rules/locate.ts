/**
 * Offset in a document of the UTF-16 unit at `index` of a text inside it; for the length of the text, where the text ends.
 * A text that is escaped in the document is shorter than what stands there.
 */
export type Locate = (index: number) => number;
