import { useLocation } from 'react-router';
import { AREAS, type Area } from '../routes/areas.ts';

/** The area that the address is in. */
export function useArea(): Area {
  const segment = useLocation().pathname.split('/')[3];
  return AREAS.find((area) => area === segment) ?? 'overview';
}
