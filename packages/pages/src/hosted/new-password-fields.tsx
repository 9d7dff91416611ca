import { type Ref, useEffect, useId, useState } from 'react';
import type { Messages } from '../action/credential-messages/messages.ts';
import { RequirementList } from '../action/new-password-view.tsx';
import {
  checkPassword,
  LEAST_POLICY,
  type PasswordPolicy,
  parsePasswordPolicy,
  type Requirement,
} from '../action/password.ts';
import { Field } from '../shell/form.tsx';
import type { Server } from './server.ts';

/** The state of a field for a new password. */
export interface NewPassword {
  readonly value: string;
  readonly requirements: readonly Requirement[];
  readonly isMissing: boolean;
  readonly onChange: (value: string) => void;
  /** Returns whether the password meets all requirements. If it does not, shows an error. */
  check(): boolean;
}

export function useNewPassword(server: Server): NewPassword {
  const [value, onChange] = useState('');
  const [policy, setPolicy] = useState<PasswordPolicy>(LEAST_POLICY);
  const [wasIncomplete, setIncomplete] = useState(false);
  const requirements = checkPassword(policy, value);
  const isComplete = requirements.every(({ isMet }) => isMet);

  useEffect(() => {
    let isWanted = true;
    // The requirements are only a help: the server decides whether it accepts a password.
    void server.call('/v2/passwordPolicy').then((outcome) => {
      if (isWanted && outcome.kind === 'ok') setPolicy(parsePasswordPolicy(outcome.value));
    });
    return () => {
      isWanted = false;
    };
  }, [server]);

  return {
    value,
    requirements,
    isMissing: wasIncomplete && !isComplete,
    onChange,
    check: () => {
      setIncomplete(!isComplete);
      return isComplete;
    },
  };
}

interface NewPasswordFieldsProps {
  readonly password: NewPassword;
  readonly label: string;
  readonly messages: Messages['newPassword'];
  readonly inputRef: Ref<HTMLInputElement>;
}

/** A field for a new password, with the requirements below. */
export function NewPasswordFields({ password, label, messages, inputRef }: NewPasswordFieldsProps) {
  const id = useId();
  return (
    <>
      <Field
        label={label}
        type="password"
        autoComplete="new-password"
        value={password.value}
        onChange={password.onChange}
        error={password.isMissing ? messages.missing : ''}
        describedBy={id}
        inputRef={inputRef}
      />
      <RequirementList id={id} requirements={password.requirements} messages={messages} />
    </>
  );
}
