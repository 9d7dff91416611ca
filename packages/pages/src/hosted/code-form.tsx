import { type ReactNode, type SubmitEvent, useRef, useState } from 'react';
import { Field, Form } from '../shell/form.tsx';

interface CodeFormProps {
  /** Says where the code is. */
  readonly intro: ReactNode;
  readonly label: string;
  /** The error of an empty field. */
  readonly missing: string;
  readonly finish: (code: string) => void;
  /** The end of the form, with its button. */
  readonly children: ReactNode;
}

/** The form for a code that the user got with a message or from an app. */
export function CodeForm({ intro, label, missing, finish, children }: CodeFormProps) {
  const [code, setCode] = useState('');
  const [wasEmpty, setEmpty] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    setEmpty(code.trim() === '');
    if (code.trim() === '') input.current?.focus();
    else finish(code.trim());
  }

  return (
    <Form onSubmit={submit} noValidate>
      {intro}
      <Field
        label={label}
        type="text"
        autoComplete="one-time-code"
        value={code}
        onChange={setCode}
        error={wasEmpty && code === '' ? missing : ''}
        inputRef={input}
      />
      {children}
    </Form>
  );
}
