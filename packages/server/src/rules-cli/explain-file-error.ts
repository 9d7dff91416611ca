/** Why a file could not be read or made, as the end of a sentence that begins with its name. */
export function explainFileError(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'ENOENT':
      return 'is not there';
    case 'EISDIR':
      return 'is a folder, not a file';
    case 'EEXIST':
      return 'exists: name a new file';
    case 'ENOTDIR':
      return 'is not there: its folder is a file';
    case 'EACCES':
    case 'EPERM':
      return 'is not yours to open';
    default:
      return `cannot be opened (${cause instanceof Error ? cause.message : String(cause)})`;
  }
}
