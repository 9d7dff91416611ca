import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import EditIcon from '@mui/icons-material/EditOutlined';
import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Link from '@mui/material/Link';
import { useTranslation } from 'react-i18next';
import { Link as RouterLink } from 'react-router';
import { CopyButton } from '../../ui/copy-and-save.tsx';
import { showControls } from '../../ui/text.tsx';
import { Hint } from '../../ui/tooltip.tsx';
import { keysOf, type NodePath, pathOf } from './model/node-path.ts';
import { PathField } from './path-field.tsx';

interface PathBarProps {
  readonly database: string;
  readonly path: NodePath;
  readonly addressOf: (path: NodePath) => string;
  readonly go: (path: NodePath) => void;
  readonly isEditing: boolean;
  readonly setEditing: (isEditing: boolean) => void;
}

/** Shows the path of the view with a link for each key. The user can type or paste another path. */
export function PathBar({ database, path, addressOf, go, isEditing, setEditing }: PathBarProps) {
  const { t } = useTranslation('data');
  return (
    <Box
      sx={{
        display: 'flex',
        alignItems: 'center',
        minHeight: 40,
        flex: '1 1 260px',
        minWidth: 0,
        position: 'relative',
        paddingInlineStart: 1.5,
        border: 1,
        borderColor: 'divider',
        borderRadius: 1,
        fontFamily: MONOSPACE,
        fontSize: '0.875rem',
      }}
    >
      {isEditing ? (
        <PathField database={database} path={path} go={go} close={() => setEditing(false)} />
      ) : (
        <>
          <Box
            component="nav"
            aria-label={t('path.label')}
            dir="ltr"
            sx={{
              display: 'flex',
              flex: 1,
              minWidth: 0,
              overflowX: 'auto',
              whiteSpace: 'nowrap',
              scrollbarWidth: 'none',
              alignItems: 'center',
            }}
          >
            <PathLink to={addressOf('/')} text={database} isHere={path === '/'} />
            {keysOf(path).map((key, index, keys) => {
              const at = pathOf(keys.slice(0, index + 1));
              return (
                <Box key={at} component="span" sx={{ display: 'inline-flex', alignItems: 'center' }}>
                  <Box component="span" aria-hidden sx={{ color: 'text.secondary', paddingInline: 0.5 }}>
                    /
                  </Box>
                  <PathLink to={addressOf(at)} text={key} isHere={index === keys.length - 1} />
                </Box>
              );
            })}
          </Box>
          <Hint title={t('path.edit')}>
            <IconButton size="small" aria-label={t('path.edit')} onClick={() => setEditing(true)}>
              <EditIcon fontSize="inherit" />
            </IconButton>
          </Hint>
          <CopyButton text={path} label={t('path.copy')} />
        </>
      )}
    </Box>
  );
}

function PathLink({
  to,
  text,
  isHere,
}: {
  readonly to: string;
  readonly text: string;
  readonly isHere: boolean;
}) {
  return (
    <Link
      component={RouterLink}
      to={to}
      underline="hover"
      color={isHere ? 'textPrimary' : 'primary'}
      aria-current={isHere ? 'location' : undefined}
      sx={{ fontWeight: isHere ? 650 : 400 }}
    >
      <bdi>{showControls(text)}</bdi>
    </Link>
  );
}
