/**
 * Names of the functions that the scripts call to answer a long-polling client. The official client defines
 * both, followed by a number, in the page that opened the connection. It runs the scripts in a frame of that
 * page.
 */
const COMMAND = 'pLPCommand';
const DATA = 'pRTLPCB';

/** As a key in an object literal, this sets the prototype instead of creating a member. */
const PROTOTYPE_KEY = '"__proto__"';

/**
 * Returns the script that defines the two functions in the frame. `callback` is the decimal number of the
 * client's own functions.
 */
export function definitionsScript(callback: string): string {
  return define(COMMAND, callback) + define(DATA, callback);
}

/**
 * Returns the command that gives the client the ID and the password of its connection. Both consist of letters
 * and digits.
 */
export function startCommand(id: string, password: string): string {
  return `${COMMAND}('start','${id}','${password}');`;
}

/** Returns the command that ends the client's connection immediately. */
export function closeCommand(): string {
  return `${COMMAND}('close');`;
}

/**
 * Returns the command that ends the client's connection after the client has processed the answer with this
 * number, which is not 0.
 */
export function closeAfterCommand(lastNumber: number): string {
  return `${COMMAND}('close',${lastNumber});`;
}

/**
 * Returns the script that delivers messages, which are JSON texts, to the client. `number` counts the answers
 * of a connection from 0, without gaps.
 */
export function messagesScript(number: number, messages: readonly string[]): string {
  return `${DATA}(${number},[${messages.map(jsonExpression).join(',')}]);`;
}

// The page removes its functions when it closes the connection, so the script checks for them.
function define(name: string, callback: string): string {
  return `window.${name}=function(...details){const tell=parent.window["${name}${callback}"];if(tell)tell(...details)};`;
}

/**
 * Returns a JavaScript expression for a JSON text. It has the same value in every version of JavaScript,
 * including in a script inside HTML.
 */
function jsonExpression(json: string): string {
  const expression = json.includes(PROTOTYPE_KEY) ? `JSON.parse(${JSON.stringify(json)})` : json;
  // These characters occur only inside JSON strings, so escaping them keeps the value.
  return expression.replaceAll('</', '<\\/').replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
}
