/** The JSON that the server put into the page under an id. Throws when there is none, which is a bug of the server. */
export function readDataElement(id: string): unknown {
  const text = document.getElementById(id)?.textContent;
  if (text === undefined) throw new Error(`The page has no data element "${id}".`);
  return JSON.parse(text);
}
