import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useTranslation } from 'react-i18next';
import type { LaterWrite, LaterWrites } from '../../../api/changes.ts';
import { CodeText, showControls } from '../../../ui/text.tsx';
import { TimeText } from '../../../ui/time-text.tsx';

/** Lists the writes since a change. */
export function LaterList({ later }: { readonly later: LaterWrites }) {
  const { t, i18n } = useTranslation('data');
  const { count, writes, isComplete } = later;
  const hidden = count - writes.reduce((sum, write) => sum + write.count, 0);
  return (
    <>
      {!isComplete && <Typography color="warning">{t('changes.incomplete')}</Typography>}
      {count === 0 && isComplete && <Typography>{t('changes.noneLater')}</Typography>}
      {writes.length > 0 && (
        <Box
          component="ul"
          aria-label={t('changes.later')}
          tabIndex={0}
          sx={{ margin: 0, padding: 0, listStyle: 'none', maxHeight: '40vh', overflow: 'auto' }}
        >
          {writes.map((write) => (
            <LaterLine key={write.path} write={write} />
          ))}
        </Box>
      )}
      {hidden > 0 && (
        <Typography>
          {t('changes.moreWrites', { count: hidden, number: hidden.toLocaleString(i18n.language) })}
        </Typography>
      )}
    </>
  );
}

function LaterLine({ write: { path, timeMs, author, json, count } }: { readonly write: LaterWrite }) {
  const { t, i18n } = useTranslation('data');
  const name = author.kind === 'user' ? (author.uid ?? '') : '';
  return (
    <Box component="li" sx={{ paddingBlock: 1, borderBottom: 1, borderColor: 'divider' }}>
      <CodeText>{showControls(path)}</CodeText>
      <Typography variant="body2" color="textSecondary" component="div">
        <TimeText ms={timeMs} /> · {t(`changes.by.${author.kind}`, { name: showControls(name) })}
        {count > 1 && ` · ${t('changes.times', { count, number: count.toLocaleString(i18n.language) })}`}
      </Typography>
      <Typography variant="body2" component="div">
        {t('changes.now')}{' '}
        {json === null ? (
          t('changes.long')
        ) : json === 'null' ? (
          t('changes.absent')
        ) : (
          <CodeText>{showControls(json)}</CodeText>
        )}
      </Typography>
    </Box>
  );
}
