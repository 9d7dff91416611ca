#!/usr/bin/env node
// Starts Firefox with the given arguments, and forwards the messages between it and Playwright. Playwright sends one
// command that Debian's Firefox does not support yet: to emulate the preferred color scheme. Remove this bridge when
// Debian's Firefox supports the command.
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { WebSocket, WebSocketServer } from 'ws';

/** The bridge answers this command itself, as if it had succeeded. */
const UNKNOWN = 'emulation.setMediaFeaturesOverride';
/** The line by which Firefox reports that Playwright can connect. */
const LISTENING = /^WebDriver BiDi listening on (ws:\/\/\S+)$/;

/** @param {WebSocket} driver @param {WebSocket} firefox */
function join(driver, firefox) {
  /** @type {string[] | undefined} messages that arrive before Firefox is connected */
  let waiting = [];
  firefox.once('open', () => {
    for (const text of waiting ?? []) firefox.send(text);
    waiting = undefined;
  });
  driver.on('message', (data) => {
    const text = String(data);
    const { id, method } = JSON.parse(text);
    if (method === UNKNOWN) driver.send(JSON.stringify({ type: 'success', id, result: {} }));
    else if (waiting === undefined) firefox.send(text);
    else waiting.push(text);
  });
  firefox.on('message', (data) => driver.send(String(data)));
  driver.once('close', () => firefox.close());
  firefox.once('close', () => driver.close());
}

/** @param {string} address */
function bridge(address) {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', (driver, { url }) => join(driver, new WebSocket(address + url)));
  server.on('listening', () => {
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    process.stderr.write(`WebDriver BiDi listening on ws://127.0.0.1:${port}\n`);
  });
}

const firefox = spawn(process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr', process.argv.slice(2), {
  stdio: ['ignore', 'inherit', 'pipe'],
});
firefox.on('error', (error) => {
  process.stderr.write(
    `${error.message}\nInstall Firefox (Debian: apt-get install firefox-esr), or set FIREFOX_PATH to its program.\n`,
  );
  process.exit(1);
});
firefox.on('exit', (code) => process.exit(code ?? 1));
createInterface({ input: firefox.stderr }).on('line', (line) => {
  const address = LISTENING.exec(line)?.[1];
  if (address === undefined) process.stderr.write(`${line}\n`);
  else bridge(address);
});
