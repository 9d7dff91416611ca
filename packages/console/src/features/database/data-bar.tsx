import FilterIcon from '@mui/icons-material/FilterList';
import ViewAsIcon from '@mui/icons-material/TheaterComedyOutlined';
import Box from '@mui/material/Box';
import ToggleButton from '@mui/material/ToggleButton';
import { type RefObject, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { DeferredRender } from '../../ui/deferred-render.tsx';
import { BAR } from '../../ui/theme.ts';
import { Hint } from '../../ui/tooltip.tsx';
import { Changes } from './changes/button.tsx';
import { useImpersonation } from './impersonation/model.ts';
import type { DataLocation } from './model/location.ts';
import { PathBar } from './path-bar.tsx';
import { NEW_QUERY, queryParameters } from './query/node-query.ts';
import { SearchField } from './query/search.tsx';
import { SavedQueries } from './saved-queries/button.tsx';
import { StagingToggle } from './staging/bar.tsx';

/** The state of editing the path as text. */
interface PathEdit {
  readonly isEditing: boolean;
  readonly setEditing: (isEditing: boolean) => void;
  readonly begin: () => void;
}

/** Returns the state of editing the path. The bar and a command share this state. */
export function usePathEdit(): PathEdit {
  const [isEditing, setEditing] = useState(false);
  return useMemo(() => ({ isEditing, setEditing, begin: () => setEditing(true) }), [isEditing]);
}

interface DataBarProps {
  readonly location: DataLocation;
  readonly isQuery: boolean;
  /** Ref of the search field, which a command focuses. */
  readonly search: RefObject<HTMLInputElement | null>;
  readonly pathEdit: PathEdit;
}

/** The bar above the data: path, search, queries, staging and impersonation. */
export function DataBar({ location, isQuery, search, pathEdit }: DataBarProps) {
  const { t } = useTranslation('data');
  const { who, choose } = useImpersonation();
  const { database, path, addressOf, go, set } = location;
  return (
    <Box sx={BAR}>
      <DeferredRender>
        <PathBar
          database={database}
          path={path}
          addressOf={addressOf}
          go={go}
          isEditing={pathEdit.isEditing}
          setEditing={pathEdit.setEditing}
        />
        <SearchField location={location} field={search} />
        <Hint title={t('query.title')}>
          <ToggleButton
            size="small"
            value="query"
            selected={isQuery}
            aria-label={t('query.title')}
            onChange={() => set(queryParameters(isQuery ? null : NEW_QUERY))}
          >
            <FilterIcon fontSize="small" />
          </ToggleButton>
        </Hint>
      </DeferredRender>
      <SavedQueries location={location} />
      {who.kind === 'self' && <Changes location={location} />}
      <StagingToggle location={location} />
      <DeferredRender>
        <Hint title={t('actAs.choose')}>
          <ToggleButton
            size="small"
            value="act-as"
            selected={who.kind !== 'self'}
            aria-label={t('actAs.choose')}
            onChange={choose}
          >
            <ViewAsIcon fontSize="small" />
          </ToggleButton>
        </Hint>
      </DeferredRender>
    </Box>
  );
}
