import { useParams } from 'react-router';

/** The database of the address, where it names one. */
export function useDatabaseId(): string | undefined {
  return useParams()['database'];
}
