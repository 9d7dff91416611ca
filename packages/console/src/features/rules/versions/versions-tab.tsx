import Box from '@mui/material/Box';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { EmptyState } from '../../../elements/empty-state.tsx';
import { Loaded } from '../../../elements/loaded.tsx';
import { useVersions } from './use-versions.ts';
import { VersionDetail } from './version-detail.tsx';
import { VersionList } from './version-list.tsx';

interface VersionsTabProps {
  readonly database: string;
}

/** What was published, and what each publication changed. */
export function VersionsTab({ database }: VersionsTabProps) {
  const { t } = useTranslation('rules');
  const { item } = useParams();
  const versions = useVersions(database);
  return (
    <Loaded of={versions}>
      {(list) => {
        const [latest] = list;
        if (latest === undefined)
          return <EmptyState title={t('versions.none')}>{t('versions.noneHint')}</EmptyState>;
        const chosen =
          list.find(({ id }) => String(id) === item) ?? (item === undefined ? latest : undefined);
        return (
          <Box
            sx={{
              flex: 1,
              minHeight: 0,
              display: 'flex',
              flexDirection: { xs: 'column', md: 'row' },
              gap: 2,
            }}
          >
            <VersionList database={database} versions={list} chosen={chosen?.id} />
            <Box
              sx={{
                flex: 1,
                minWidth: 0,
                minHeight: 320,
                display: 'flex',
                flexDirection: 'column',
                gap: 1.5,
              }}
            >
              {chosen === undefined ? (
                <EmptyState title={t('versions.unknown', { id: item })}>
                  {t('versions.unknownHint')}
                </EmptyState>
              ) : (
                <VersionDetail key={chosen.id} database={database} id={chosen.id} inForce={latest.id} />
              )}
            </Box>
          </Box>
        );
      }}
    </Loaded>
  );
}
