import { styled } from '@mui/material/styles';
import { Drawing } from '../shell/drawing.tsx';
import { VisuallyHidden } from '../shell/visually-hidden.tsx';
import type { Requirement } from './check-password.ts';
import type { Messages } from './messages/messages.ts';

interface RequirementListProps {
  /** Names what describes the field: a list with a label of its own would be read out as that label alone. */
  readonly id: string;
  readonly requirements: readonly Requirement[];
  readonly messages: Messages['newPassword'];
}

/** What the password must have, each marked as soon as it is there. */
export function RequirementList({ id, requirements, messages }: RequirementListProps) {
  return (
    <div>
      <div id={id}>
        <Intro>{messages.requirements}</Intro>
        <List>
          {requirements.map((requirement) => (
            <li key={requirement.kind} data-met={requirement.isMet}>
              <Drawing names={[requirement.isMet ? 'check' : 'ring']} sizePx={18} />
              <span>
                {describeRequirement(requirement, messages)}
                <VisuallyHidden>{` (${requirement.isMet ? messages.met : messages.unmet})`}</VisuallyHidden>
              </span>
            </li>
          ))}
        </List>
      </div>
      <VisuallyHidden role="status">
        {requirements.every(({ isMet }) => isMet) ? messages.allMet : ''}
      </VisuallyHidden>
    </div>
  );
}

function describeRequirement(requirement: Requirement, messages: Messages['newPassword']): string {
  switch (requirement.kind) {
    case 'minLength':
      return messages.minLength(requirement.length);
    case 'maxLength':
      return messages.maxLength(requirement.length);
    case 'lowercase':
    case 'uppercase':
    case 'digit':
    case 'symbol':
      return messages[requirement.kind];
    default:
      return requirement satisfies never;
  }
}

const Intro = styled('p')(({ theme }) => ({
  margin: theme.spacing(0, 0, 0.5),
  fontSize: '0.875rem',
  color: theme.palette.text.secondary,
}));

const List = styled('ul')(({ theme }) => ({
  margin: 0,
  padding: 0,
  listStyle: 'none',
  fontSize: '0.875rem',
  '& li': {
    display: 'flex',
    alignItems: 'center',
    gap: theme.spacing(1),
    paddingBlock: 2,
    color: theme.palette.text.secondary,
  },
  '& li > svg': { flex: 'none' },
  '& li[data-met="true"]': { color: theme.palette.success.main },
}));
