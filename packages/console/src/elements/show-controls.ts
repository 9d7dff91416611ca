/** Control characters, those that turn the direction of writing or are not seen, and halves of pairs. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;
/** Joins parts of one sign, and of letters in some scripts. */
const JOINERS = new Set(['\u200c', '\u200d']);

/** A text with its unseen characters as their code points, such as `⟨U+202E⟩`. */
export function showControls(text: string): string {
  return text.replace(UNSEEN, (character) => {
    if (JOINERS.has(character)) return character;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `⟨U+${code}⟩`;
  });
}
