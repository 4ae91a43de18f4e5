import { defineConfig } from 'vitest/config'

// Of its own, so that `npm test` here does not take the tests of the whole repository.
export default defineConfig({})
