import { defineConfig } from 'vitest/config'

// Without this file, `npm test` here would run the tests of the whole repository.
export default defineConfig({})
