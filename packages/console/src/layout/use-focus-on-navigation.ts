import { useEffect, useRef } from 'react';
import type { Area } from '../routes/areas.ts';

/** Takes the keyboard to the content when another area is opened, where whoever asked for it wants to go on. */
export function useFocusOnNavigation(project: string, area: Area): void {
  const shown = useRef(`${project}/${area}`);
  useEffect(() => {
    const next = `${project}/${area}`;
    if (shown.current === next) return;
    shown.current = next;
    const content = document.getElementById('content');
    // A view that has taken the keyboard itself knows better.
    if (content === null || content.contains(document.activeElement)) return;
    content.focus({ preventScroll: true });
    content.scrollTop = 0;
  }, [project, area]);
}
