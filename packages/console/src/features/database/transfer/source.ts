import { useEffect, useState } from 'react';

/** The chosen file as JSON. Each file has another `id`. */
export type ImportSource =
  | { readonly kind: 'none' | 'converting'; readonly id: number }
  | { readonly kind: 'failed'; readonly id: number; readonly error: unknown }
  | { readonly kind: 'ready'; readonly id: number; readonly name: string; readonly json: Blob };

let lastId = 0;

/** Returns a file as JSON, which takes a while for a CSV file. */
export function useImportSource(file: File | null): ImportSource {
  const [source, setSource] = useState<{ readonly file: File | null; readonly state: ImportSource }>({
    file: null,
    state: { kind: 'none', id: 0 },
  });
  useEffect(() => {
    if (file === null) return;
    let isCurrent = true;
    lastId += 1;
    const id = lastId;
    const set = (state: ImportSource): void => {
      if (isCurrent) setSource({ file, state });
    };
    if (isCsv(file)) {
      set({ kind: 'converting', id });
      void toJson(file, id).then(set);
    } else set({ kind: 'ready', id, name: file.name, json: file });
    return () => {
      isCurrent = false;
    };
  }, [file]);
  return source.file === file ? source.state : { kind: 'none', id: 0 };
}

function isCsv({ name, type }: File): boolean {
  return /\.csv$/i.test(name) || type === 'text/csv';
}

async function toJson(file: File, id: number): Promise<ImportSource> {
  try {
    const { convertCsv } = await import('./csv.ts');
    return { kind: 'ready', id, name: file.name, json: await convertCsv(file, Date.now()) };
  } catch (error) {
    return { kind: 'failed', id, error };
  }
}
