import { Loaded } from '../../../elements/loaded.tsx';
import { useDraft } from '../edit/use-draft.ts';
import { useRulesInForce } from '../use-rules-in-force.ts';
import { CaseBench } from './case-bench.tsx';

interface CasesTabProps {
  readonly database: string;
}

/** Test cases for the draft, or for the rules in force where there is none. */
export function CasesTab({ database }: CasesTabProps) {
  const inForce = useRulesInForce(database);
  const { draft } = useDraft(database);
  return (
    <Loaded of={inForce}>
      {({ source }) => (
        <CaseBench database={database} source={draft?.source ?? source} isDraft={draft !== null} />
      )}
    </Loaded>
  );
}
