/** What somebody asked for, in the words of the interface that the request came by; capitals are methods of REST. */
export type OperationName =
  | 'listen'
  | 'get'
  | 'put'
  | 'merge'
  | 'transaction'
  | 'onDisconnectPut'
  | 'onDisconnectMerge'
  /** The writes of a client that has gone. */
  | 'onDisconnect'
  /** A listen by REST, which is told of changes in server-sent events. */
  | 'stream'
  | 'GET'
  | 'PUT'
  | 'PATCH'
  | 'POST'
  | 'DELETE';
