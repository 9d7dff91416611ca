import {
  type DocumentValue,
  parseRulesDocument,
  RulesSyntaxError,
} from '@hearth/core/rules/syntax/document.ts';

/** Which operations rules allow to everyone, on all data. */
export interface OpenAccess {
  readonly isReadOpen: boolean;
  readonly isWriteOpen: boolean;
}

/** Returns the operations that a rule `true` at the root allows to everyone, on all data. Invalid rules allow nothing. */
export function findOpenAccess(source: string): OpenAccess {
  const rules = propertyOf(parseOrUndefined(source), 'rules');
  return {
    isReadOpen: isTrue(propertyOf(rules, '.read')),
    isWriteOpen: isTrue(propertyOf(rules, '.write')),
  };
}

function parseOrUndefined(source: string): DocumentValue | undefined {
  try {
    return parseRulesDocument(source);
  } catch (error) {
    if (error instanceof RulesSyntaxError) return undefined;
    throw error;
  }
}

function propertyOf(value: DocumentValue | undefined, name: string): DocumentValue | undefined {
  return value?.kind === 'object'
    ? value.properties.findLast((property) => property.name === name)?.value
    : undefined;
}

function isTrue(value: DocumentValue | undefined): boolean {
  if (value?.kind === 'boolean') return value.value;
  return value?.kind === 'string' && /^[\s(]*true[\s)]*$/.test(value.value);
}
