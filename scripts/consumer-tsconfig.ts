/** The configuration of a user's compiler: without the source condition, so that it reads the built declarations. */
export function consumerTsconfig(declarations: string): object {
  return {
    compilerOptions: { module: 'nodenext', target: 'es2023', strict: true, skipLibCheck: true, types: ['node'] },
    files: [declarations],
  }
}
