import { useTranslation } from 'react-i18next';
import type { ChildRow } from '../../../api/data.ts';
import { showControls } from '../../../ui/text.tsx';

/** SVG paths of the icons in rows, in a 24 by 24 view box. Rows are too many for icon components. */
export const ROW_SHAPES = {
  chevron: 'M9 6l6 6-6 6z',
  plus: 'M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z',
  pencil: 'M4 17.2V20h2.8L17 9.8 14.2 7zM19.2 7.6a.8.8 0 0 0 0-1.1l-1.7-1.7a.8.8 0 0 0-1.1 0L15 6.2 17.8 9z',
  dots: 'M12 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zm0 2a2 2 0 1 0 0 4 2 2 0 0 0 0-4zm0 6a2 2 0 1 0 0 4 2 2 0 0 0 0-4z',
  lock: 'M12 3a4 4 0 0 0-4 4v3H6v10h12V10h-2V7a4 4 0 0 0-4-4zm2 7h-4V7a2 2 0 0 1 4 0z',
} as const;

/** Shown instead of a value that the impersonated principal may not read. */
export function DeniedValue() {
  const { t } = useTranslation('data');
  return (
    <span className="aside">
      <svg viewBox="0 0 24 24" width="14" height="14" fill="currentColor" aria-hidden="true">
        <path d={ROW_SHAPES.lock} />
      </svg>{' '}
      {t('actAs.locked')}
    </span>
  );
}

interface NodeValueProps {
  readonly node: ChildRow;
  readonly isOpen: boolean;
}

/** Shows the value of a node in its row: a primitive value, or the number of children and a preview. */
export function NodeValue({ node, isOpen }: NodeValueProps) {
  const { t, i18n } = useTranslation('data');
  if (node.isDenied === true) return <DeniedValue />;
  if (node.kind !== 'object')
    return (
      <bdi dir="ltr" className={node.kind}>
        {showControls(typeof node.value === 'string' ? JSON.stringify(node.value) : String(node.value))}
        {node.isCut === true && <span className="aside">{t('tree.cut')}</span>}
      </bdi>
    );
  const { childCount, isCountPartial, preview } = node;
  const number = childCount.toLocaleString(i18n.language);
  return (
    <>
      <span className="aside">
        {isCountPartial
          ? t('tree.childrenOrMore', { number })
          : t('tree.children', { count: childCount, number })}{' '}
      </span>
      {!isOpen && preview != null && (
        <bdi dir="ltr" className="preview">
          {showControls(preview)}
        </bdi>
      )}
    </>
  );
}
