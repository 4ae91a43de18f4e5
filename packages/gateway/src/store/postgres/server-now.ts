/** What time it is at the server, in milliseconds since 1970, as the column `server_now`. */
export const SERVER_NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS server_now'
