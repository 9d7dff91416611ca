import IconButton from '@mui/material/IconButton';
import { styled } from '@mui/material/styles';
import { type SubmitEvent, useId, useRef, useState } from 'react';
import { Drawing } from '../shell/drawing.tsx';
import { ActionButton, Field, Form } from '../shell/form.tsx';
import { Facts, Notice, Text, VisuallyHidden } from '../shell/text.tsx';
import { maskEmail } from './code.ts';
import { checkPassword, type Requirement } from './password.ts';
import type { ActionScreen } from './screen.ts';
import type { Texts } from './texts.ts';

interface RequirementListProps {
  /** ID for `aria-describedby` of the field. The list has no label, because screen readers would read only the label. */
  readonly id: string;
  readonly requirements: readonly Requirement[];
  readonly messages: Texts['newPassword'];
}

/** Lists the password requirements and marks each one when it is met. */
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

function describeRequirement(requirement: Requirement, messages: Texts['newPassword']): string {
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

interface ShowPasswordButtonProps {
  readonly label: string;
  readonly isShown: boolean;
  readonly onToggle: () => void;
}

/** Toggles the visibility of the password, so that the user need not type it twice. */
function ShowPasswordButton({ label, isShown, onToggle }: ShowPasswordButtonProps) {
  return (
    <IconButton edge="end" disableRipple aria-label={label} aria-pressed={isShown} onClick={onToggle}>
      <Drawing names={isShown ? ['eye', 'slash'] : ['eye']} />
    </IconButton>
  );
}

interface NewPasswordViewProps {
  readonly screen: ActionScreen & { readonly kind: 'newPassword' };
  readonly messages: Texts;
}

/** The form for choosing a new password. */
export function NewPasswordView({ screen, messages }: NewPasswordViewProps) {
  const [password, setPassword] = useState('');
  const [isShown, setShown] = useState(false);
  const [wasIncomplete, setIncomplete] = useState(false);
  const [sent, setSent] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const requirementsId = useId();
  const { email, policy, progress, save } = screen;
  const texts = messages.newPassword;
  const requirements = checkPassword(policy, password);
  const isComplete = requirements.every(({ isMet }) => isMet);
  // The error of an earlier password is hidden.
  const isDenied = progress.kind === 'failed' && sent === password;

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    setIncomplete(!isComplete);
    if (!isComplete) {
      input.current?.focus();
      return;
    }
    setSent(password);
    save(password);
  }

  return (
    <Form onSubmit={submit} noValidate>
      <Text>{texts.text}</Text>
      <Facts facts={[{ label: messages.labels.account, value: maskEmail(email) }]} />
      {/* Tells password managers to which account the password belongs. */}
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <Field
        label={texts.label}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        error={wasIncomplete && !isComplete ? texts.missing : ''}
        describedBy={requirementsId}
        inputRef={input}
        endAdornment={
          <ShowPasswordButton label={texts.show} isShown={isShown} onToggle={() => setShown(!isShown)} />
        }
      />
      <RequirementList id={requirementsId} requirements={requirements} messages={texts} />
      <Notice tone="error" text={isDenied ? messages.problems[progress.problem] : ''} />
      <ActionButton label={texts.save} busyLabel={progress.kind === 'busy' ? messages.busy : undefined} />
    </Form>
  );
}
