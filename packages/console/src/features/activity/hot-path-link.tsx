import Link from '@mui/material/Link';
import { Fragment } from 'react';
import { Link as RouterLink } from 'react-router';
import { dataAddress } from '../../session/addresses.ts';
import { useProjectId } from '../../session/session.ts';
import { CodeText, showControls } from '../../ui/text.tsx';

/** Returns the part of a path template before its first `$` key or `*`. All matching paths begin with this part. */
export function fixedPathOf(template: string): string {
  const keys = template.split('/').slice(1);
  const variable = keys.findIndex((key) => key === '*' || key.startsWith('$'));
  return `/${keys.slice(0, variable === -1 ? keys.length : variable).join('/')}`;
}

interface HotPathLinkProps {
  readonly database: string;
  /** A path template. */
  readonly path: string;
}

/** Shows a path template with a link to its data. Lines break before a `/`. */
export function HotPathLink({ database, path }: HotPathLinkProps) {
  const project = useProjectId();
  return (
    <Link component={RouterLink} to={dataAddress(project, database, fixedPathOf(path))}>
      <CodeText>
        {path.split(/(?=\/)/).map((part, level) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the keys of a path may repeat.
          <Fragment key={level}>
            <wbr />
            {showControls(part)}
          </Fragment>
        ))}
      </CodeText>
    </Link>
  );
}
