import { MONOSPACE } from '@hearth/pages/shell/monospace.ts';
import Box from '@mui/material/Box';
import { styled, type Theme } from '@mui/material/styles';
import { Link } from 'react-router';
import { showControls } from '../../../ui/text.tsx';
import { meaningColor } from '../../../ui/theme.ts';
import type { NodePath } from '../model/node-path.ts';

/** A node of a list of results. */
interface ListedNode {
  readonly path: NodePath;
  readonly title: string;
  readonly preview: string;
}

interface NodeListProps {
  readonly label: string;
  readonly nodes: readonly ListedNode[];
  readonly addressOf: (path: NodePath) => string;
}

/** The styles of a list that scrolls inside the page. */
export function listFrame(theme: Theme) {
  return {
    margin: 0,
    padding: 0,
    listStyle: 'none',
    overflow: 'auto',
    flex: '1 1 200px',
    minHeight: 120,
    border: `1px solid ${theme.palette.divider}`,
    borderRadius: theme.shape.borderRadius,
    background: theme.palette.background.paper,
    fontFamily: MONOSPACE,
    fontSize: theme.typography.body2.fontSize,
  } as const;
}

const List = styled('ul')(({ theme }) => ({
  ...listFrame(theme),
  '& li': {
    display: 'flex',
    gap: theme.spacing(1.5),
    padding: theme.spacing(0.75, 1.5),
    borderBlockEnd: `1px solid ${theme.palette.divider}`,
  },
  '& a': {
    color: meaningColor(theme, 'key'),
    fontWeight: 600,
    textDecoration: 'none',
    flexShrink: 0,
    maxWidth: '50%',
    overflowWrap: 'anywhere',
  },
  '& a:hover': { textDecoration: 'underline' },
}));

/** Lists found nodes, each with a link to its data. */
export function NodeList({ label, nodes, addressOf }: NodeListProps) {
  return (
    <List aria-label={label}>
      {nodes.map(({ path, title, preview }) => (
        <li key={path}>
          <Link to={addressOf(path)}>
            <bdi dir="ltr">{showControls(title)}</bdi>
          </Link>
          <Box
            component="bdi"
            dir="ltr"
            sx={{
              color: 'text.secondary',
              overflow: 'hidden',
              textOverflow: 'ellipsis',
              whiteSpace: 'nowrap',
            }}
          >
            {showControls(preview)}
          </Box>
        </li>
      ))}
    </List>
  );
}
