import MenuItem from '@mui/material/MenuItem';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { MenuButton } from '../elements/menu-button.tsx';
import { areaAddress, dataAddress, rulesAddress } from '../routes/addresses.ts';
import type { Area } from '../routes/areas.ts';
import { useProjectId } from '../session/session.ts';
import { useDatabases } from '../session/use-databases.ts';

interface DatabaseSwitcherProps {
  readonly area: Area;
  readonly database: string;
}

/** Shows the database, and leads to the same area of the others. */
export function DatabaseSwitcher({ area, database }: DatabaseSwitcherProps) {
  const { t } = useTranslation();
  const project = useProjectId();
  const navigate = useNavigate();
  const { data } = useDatabases();
  const names = [...new Set([database, ...(data ?? [])])].toSorted();
  const addressOf = area === 'rules' ? rulesAddress : dataAddress;
  return (
    <MenuButton label={t('database.label')} text={database}>
      {(close) => [
        ...names.map((name) => (
          <MenuItem
            key={name}
            selected={name === database}
            onClick={() => {
              close();
              void navigate(addressOf(project, name));
            }}
          >
            <bdi dir="ltr">{name}</bdi>
          </MenuItem>
        )),
        <MenuItem
          key="all"
          divider={false}
          onClick={() => {
            close();
            void navigate(areaAddress(project, 'data'));
          }}
        >
          {t('database.all')}
        </MenuItem>,
      ]}
    </MenuButton>
  );
}
