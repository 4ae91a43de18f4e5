export { type End, type Ended, endedConnections } from './ended-connections.ts'
export { wayThatFallsSilent } from './silent-way.ts'
export { type TestDatabase, testDatabase } from './test-database.ts'
export { type StopMode, type TestServer, type TestServerOptions, testServer } from './test-server.ts'
