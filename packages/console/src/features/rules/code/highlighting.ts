import { StreamLanguage, type StreamParser } from '@codemirror/language';

type Stream = Parameters<StreamParser<unknown>['token']>[0];

interface State {
  /** The part of the document that the parser is reading. */
  place: 'document' | 'name' | 'text' | 'expression' | 'comment';
  /** Name of the current property. */
  name: string;
  isAfterColon: boolean;
  /** In an expression: whether an operand has ended, so that a slash is a division. */
  isOperandDone: boolean;
  depth: number;
}

const RULE_NAMES = /^\.(?:read|write|validate)$/;
const VARIABLES = /^(?:auth|now|root|data|newData|query)\b/;

const PARSER: StreamParser<State> = {
  name: 'hearth-rules',
  startState: () => ({ place: 'document', name: '', isAfterColon: false, isOperandDone: false, depth: 0 }),
  token(stream, state) {
    switch (state.place) {
      case 'comment':
        return readComment(stream, state);
      case 'name':
        return readName(stream, state);
      case 'text':
        return readText(stream, state);
      case 'expression':
        return readExpression(stream, state);
      default:
        return readDocument(stream, state);
    }
  },
  indent: ({ depth }, textAfter, context) =>
    Math.max(depth - (/^\s*[}\]]/.test(textAfter) ? 1 : 0), 0) * context.unit,
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['{', '[', '(', '"', "'"] },
    indentOnInput: /^\s*[}\]]$/,
  },
};

/** The language of rules: JSON with comments, and with expressions in the strings of rules. */
export const RULES_LANGUAGE = StreamLanguage.define(PARSER);

function readDocument(stream: Stream, state: State): string | null {
  if (stream.eatSpace()) return null;
  if (stream.match(/^\/\/.*/) !== null) return 'comment';
  if (stream.match('/*') === true) {
    state.place = 'comment';
    return readComment(stream, state);
  }
  if (stream.match(/^(?:true|false|null)\b/) !== null) return 'bool';
  if (stream.match(/^-?\d[\d.eE+-]*/) !== null) return 'number';
  const sign = stream.next();
  switch (sign) {
    case '"':
      if (!state.isAfterColon) {
        state.place = 'name';
        state.name = '';
        return readName(stream, state);
      }
      state.place = RULE_NAMES.test(state.name) ? 'expression' : 'text';
      state.isOperandDone = false;
      return 'punctuation';
    case '{':
    case '[':
      state.depth += 1;
      // The items of a list are values.
      state.isAfterColon = sign === '[';
      if (sign === '[') state.name = '';
      return 'brace';
    case '}':
    case ']':
      state.depth -= 1;
      state.isAfterColon = false;
      return 'brace';
    case ':':
      state.isAfterColon = true;
      return 'punctuation';
    case ',':
      state.isAfterColon = state.isAfterColon && state.name === '';
      return 'punctuation';
    default:
      return 'invalid';
  }
}

function readComment(stream: Stream, state: State): string {
  if (stream.match(/^.*?\*\//) === null) stream.skipToEnd();
  else state.place = 'document';
  return 'comment';
}

function readName(stream: Stream, state: State): string {
  const text = matchText(stream, /^(?:[^"\\]|\\.)*/);
  state.name += text;
  if (stream.eat('"') !== undefined) state.place = 'document';
  if (state.name.startsWith('.')) return 'keyword';
  return state.name.startsWith('$') ? 'variableName.special' : 'propertyName';
}

function readText(stream: Stream, state: State): string {
  matchText(stream, /^(?:[^"\\]|\\.)*/);
  if (stream.eat('"') !== undefined) {
    state.place = 'document';
    state.isAfterColon = state.name === '';
  } else stream.skipToEnd();
  return 'string';
}

/** Reads a token of an expression. Strings in expressions have single quotes, or escaped double quotes. */
function readExpression(stream: Stream, state: State): string | null {
  if (stream.eatSpace()) return null;
  if (stream.eat('"') !== undefined) {
    state.place = 'document';
    state.isAfterColon = false;
    return 'punctuation';
  }
  const wasDone = state.isOperandDone;
  state.isOperandDone = true;
  if (stream.match(/^'(?:[^'\\"]|\\.)*'?/) !== null || stream.match(/^\\"(?:(?!\\").)*\\"/) !== null)
    return 'string';
  if (stream.match(/^(?:true|false|null)\b/) !== null) return 'bool';
  if (stream.match(/^\d[\w.]*/) !== null) return 'number';
  if (stream.match(VARIABLES) !== null) return 'variableName';
  if (stream.match(/^\$[\w$]*/) !== null) return 'variableName.special';
  if (stream.match(/^[\w\p{L}]+/u) !== null) return 'name';
  if (!wasDone && stream.match(/^\/(?:[^\\/"[]|\\.|\[(?:[^\]\\"]|\\.)*\])+\/[a-z]*/) !== null)
    return 'regexp';
  const sign = stream.next();
  state.isOperandDone = sign === ')' || sign === ']';
  return 'operator';
}

function matchText(stream: Stream, pattern: RegExp): string {
  const start = stream.pos;
  stream.match(pattern);
  return stream.string.slice(start, stream.pos);
}
