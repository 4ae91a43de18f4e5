import { answer } from './program.ts'

export default { fetch: answer }
