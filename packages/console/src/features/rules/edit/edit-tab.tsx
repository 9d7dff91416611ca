import { Loaded } from '../../../elements/loaded.tsx';
import { useRulesInForce } from '../use-rules-in-force.ts';
import { RulesEditor } from './rules-editor.tsx';

interface EditTabProps {
  readonly database: string;
}

/** Where rules are written and put in force. */
export function EditTab({ database }: EditTabProps) {
  const inForce = useRulesInForce(database);
  return <Loaded of={inForce}>{(rules) => <RulesEditor database={database} inForce={rules} />}</Loaded>;
}
