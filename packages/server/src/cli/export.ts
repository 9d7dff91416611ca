import { formatBytes } from '../backup/format-bytes.ts';
import type { EXPORT_OPTIONS } from '../ops/command-options.ts';
import type { FlagsOf } from '../ops/option.ts';
import { exportToFile, exportToStream } from '../transfer/export-file.ts';
import { readTransferTarget } from './transfer-target.ts';
import { watchWork } from './watch-work.ts';

/** `hearth export`: writes data of a running server to a file or to standard output. Rejects with a sentence when it cannot. */
export async function runExport(flags: FlagsOf<typeof EXPORT_OPTIONS>, file: string): Promise<void> {
  const { link, place } = readTransferTarget(flags);
  const bytes = await watchWork(({ signal, stage, onBytes }) => {
    stage('Exporting');
    const request = { link, place, signal, onBytes: (done: number) => onBytes(done, undefined) };
    return file === '-' ? exportToStream(request, process.stdout) : exportToFile(request, file);
  });
  process.stderr.write(
    `Exported ${place.path} of ${place.database} (${formatBytes(bytes)} of JSON)${file === '-' ? '' : ` to ${file}`}.\n`,
  );
}
