import Divider from '@mui/material/Divider';
import MenuItem from '@mui/material/MenuItem';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { openOverlay } from '../commands/overlay.ts';
import { MenuButton } from '../elements/menu-button.tsx';
import { projectAddress } from '../routes/addresses.ts';
import { useProjectId, useSession } from '../session/session.ts';

/** Shows the project, and leads to the others. A member signs in to each of them. */
export function ProjectSwitcher() {
  const { t } = useTranslation();
  const project = useProjectId();
  const { parameters, projects, chooseProject } = useSession();
  const navigate = useNavigate();
  const ids = [...new Set([project, ...projects.map(({ id }) => id)])].toSorted();
  return (
    <MenuButton label={t('project.label')} text={project}>
      {(close) => [
        ...ids.map((id) => (
          <MenuItem
            key={id}
            selected={id === project}
            onClick={() => {
              close();
              void navigate(projectAddress(id));
            }}
          >
            <bdi dir="ltr">{id}</bdi>
          </MenuItem>
        )),
        <Divider key="line" />,
        parameters.mode === 'development' ? (
          <MenuItem
            key="new"
            onClick={() => {
              close();
              openOverlay('new-project');
            }}
          >
            {t('project.new')}
          </MenuItem>
        ) : (
          <MenuItem key="other" onClick={chooseProject ?? close}>
            {t('project.other')}
          </MenuItem>
        ),
      ]}
    </MenuButton>
  );
}
