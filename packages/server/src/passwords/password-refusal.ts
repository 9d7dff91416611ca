import type { PasswordProblem } from './check-password.ts';
import { MAX_PASSWORD_BYTES } from './password-bytes.ts';
import type { PasswordPolicy } from './password-policy.ts';

/** How a client is told that a password will not do. */
export interface PasswordRefusal {
  readonly code: 'WEAK_PASSWORD' | 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS';
  /** What people read. */
  readonly detail: string;
}

/**
 * The answer to a password with problems; undefined when there are none. Under an enforced policy it lists all of them, which
 * clients take as a sign to fetch the policy.
 */
export function findPasswordRefusal(
  policy: PasswordPolicy,
  problems: readonly PasswordProblem[],
): PasswordRefusal | undefined {
  const [first] = problems;
  if (first === undefined) return undefined;
  if (policy.isEnforced || first.kind === 'too-many-bytes') {
    const list = problems.map((problem) => `Password ${describe(problem)}`).join(', ');
    return {
      code: 'PASSWORD_DOES_NOT_MEET_REQUIREMENTS',
      detail: `Missing password requirements: [${list}]`,
    };
  }
  return {
    code: 'WEAK_PASSWORD',
    detail:
      first.kind === 'too-short'
        ? `Password should be at least ${first.minLength} characters`
        : `Password ${describe(first)}`,
  };
}

function describe(problem: PasswordProblem): string {
  switch (problem.kind) {
    case 'too-short':
      return `must contain at least ${problem.minLength} characters`;
    case 'too-long':
      return `must contain at most ${problem.maxLength} characters`;
    case 'too-many-bytes':
      return `must have at most ${MAX_PASSWORD_BYTES} bytes`;
    case 'no-lowercase':
      return 'must contain a lower case character';
    case 'no-uppercase':
      return 'must contain an upper case character';
    case 'no-numeric':
      return 'must contain a numeric character';
    case 'no-non-alphanumeric':
      return 'must contain a non-alphanumeric character';
    case 'common':
      return 'must not be one that many people use';
    default:
      return problem satisfies never;
  }
}
