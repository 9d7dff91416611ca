import { type RefObject, useEffect, useRef } from 'react';

/** What the table does with the clipboard. */
export interface TableClipboard {
  copy(clipboard: DataTransfer): void;
  paste(text: string): Promise<void>;
}

/**
 * Takes the clipboard's events while the table has the focus. Browsers tell them to the document where nothing is selected as
 * text, so the table itself would not hear of them.
 */
export function useTableClipboard(
  table: RefObject<HTMLElement | null>,
  mayPaste: boolean,
): RefObject<TableClipboard | null> {
  const latest = useRef<TableClipboard | null>(null);
  useEffect(() => {
    const isHere = (): boolean => table.current !== null && document.activeElement === table.current;
    function onCopy(event: ClipboardEvent): void {
      if (!isHere() || event.clipboardData === null) return;
      event.preventDefault();
      latest.current?.copy(event.clipboardData);
    }
    function onPaste(event: ClipboardEvent): void {
      if (!isHere() || !mayPaste || event.clipboardData === null) return;
      event.preventDefault();
      void latest.current?.paste(event.clipboardData.getData('text/plain'));
    }
    document.addEventListener('copy', onCopy);
    document.addEventListener('paste', onPaste);
    return () => {
      document.removeEventListener('copy', onCopy);
      document.removeEventListener('paste', onPaste);
    };
  }, [table, mayPaste]);
  return latest;
}
