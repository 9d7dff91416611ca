import { useTranslation } from 'react-i18next';
import { showControls } from '../../../elements/show-controls.ts';
import type { ChildRow } from '../../../server/data.ts';
import { RefusedValue } from '../act-as/refused-value.tsx';

interface NodeValueProps {
  readonly node: ChildRow;
  readonly isOpen: boolean;
}

/** A value in a line: how many children it has and how it begins, or all of it. */
export function NodeValue({ node, isOpen }: NodeValueProps) {
  const { t, i18n } = useTranslation('data');
  if (node.isRefused === true) return <RefusedValue />;
  if (node.kind !== 'object')
    return (
      <bdi dir="ltr" className={node.kind}>
        {showControls(typeof node.value === 'string' ? JSON.stringify(node.value) : String(node.value))}
        {node.isCut === true && <span className="aside">{t('tree.cut')}</span>}
      </bdi>
    );
  const { childCount, preview } = node;
  return (
    <>
      <span className="aside">
        {childCount === null
          ? t('tree.manyChildren')
          : t('tree.children', { count: childCount, number: childCount.toLocaleString(i18n.language) })}{' '}
      </span>
      {!isOpen && preview != null && (
        <bdi dir="ltr" className="preview">
          {showControls(preview)}
        </bdi>
      )}
    </>
  );
}
