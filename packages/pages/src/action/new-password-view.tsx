import { type SubmitEvent, useId, useRef, useState } from 'react';
import { ActionButton } from '../shell/action-button.tsx';
import { Facts } from '../shell/facts.tsx';
import { Field } from '../shell/field.tsx';
import { Form } from '../shell/form.tsx';
import { Notice } from '../shell/notice.tsx';
import { Text } from '../shell/text.tsx';
import type { ActionScreen } from './action-screen.ts';
import { checkPassword } from './check-password.ts';
import { maskEmail } from './mask-email.ts';
import type { Messages } from './messages/messages.ts';
import { RequirementList } from './requirement-list.tsx';
import { ShowPasswordButton } from './show-password-button.tsx';

interface NewPasswordViewProps {
  readonly screen: ActionScreen & { readonly kind: 'newPassword' };
  readonly messages: Messages;
}

/** The form for a new password. */
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
  // What was wrong with another password says nothing about this one.
  const isRefused = progress.kind === 'failed' && sent === password;

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
      {/* For password managers, which otherwise would not know whose password they keep. */}
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
      <Notice tone="error" text={isRefused ? messages.problems[progress.problem] : ''} />
      <ActionButton label={texts.save} busyLabel={progress.kind === 'busy' ? messages.busy : undefined} />
    </Form>
  );
}
