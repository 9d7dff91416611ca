/**
 * What the scripts call that answer a long-polling client. The official client defines both in the page that opened the
 * connection, with a number behind the name, and runs the scripts in a frame of that page.
 */
const COMMAND = 'pLPCommand';
const DATA = 'pRTLPCB';

/** Would set the prototype of an object literal instead of making a member. */
const PROTOTYPE_KEY = '"__proto__"';

/** Makes the two functions in the frame; `callback` is the decimal number of the client's own ones. */
export function definitionsScript(callback: string): string {
  return define(COMMAND, callback) + define(DATA, callback);
}

/** Tells the client the name and the password of its connection: letters and digits. */
export function startCommand(id: string, password: string): string {
  return `${COMMAND}('start','${id}','${password}');`;
}

/** Ends the client's connection at once. */
export function closeCommand(): string {
  return `${COMMAND}('close');`;
}

/** Ends the client's connection once it has worked through the answer with this number, which is not 0. */
export function closeAfterCommand(lastNumber: number): string {
  return `${COMMAND}('close',${lastNumber});`;
}

/** Hands messages, which are JSON texts, to the client. Numbers count the answers of a connection, from 0, without a gap. */
export function messagesScript(number: number, messages: readonly string[]): string {
  return `${DATA}(${number},[${messages.map(jsonExpression).join(',')}]);`;
}

// The page's functions are gone once it has closed the connection.
function define(name: string, callback: string): string {
  return `window.${name}=function(...details){const tell=parent.window["${name}${callback}"];if(tell)tell(...details)};`;
}

/** JSON as an expression that has its value in a script of any age, wherever the script stands. */
function jsonExpression(json: string): string {
  const expression = json.includes(PROTOTYPE_KEY) ? `JSON.parse(${JSON.stringify(json)})` : json;
  // All of these occur only inside texts.
  return expression.replaceAll('</', '<\\/').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
