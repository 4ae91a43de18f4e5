export default { testMatch: ['**/jest.test.cjs'], setupFilesAfterEnv: ['@tallystick/testing/jest'] }
