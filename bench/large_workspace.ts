/** A workspace as large projects have it: 50,000 files in 5,000 directories, 20 nested repositories. */

const FILES = 50_000;
const FILES_IN_DIRECTORY = 10;
const REPOSITORIES = 20;

function makeRepository(path: string): void {
  for (const name of ["objects/pack", "refs/heads", "hooks", "info"]) {
    Deno.mkdirSync(`${path}/.git/${name}`, { recursive: true });
  }
  Deno.writeTextFileSync(`${path}/.git/HEAD`, "ref: refs/heads/main\n");
  Deno.writeTextFileSync(`${path}/.git/config`, "[core]\n\tbare = false\n");
  Deno.writeTextFileSync(`${path}/.git/hooks/pre-commit`, "#!/bin/sh\n");
}

/** Fill an existing directory. */
export function makeLargeWorkspace(root: string): void {
  makeRepository(root);
  for (let count = 0; count < FILES / FILES_IN_DIRECTORY; count++) {
    const directory = `${root}/packages/p${count % 100}/d${count}`;
    Deno.mkdirSync(directory, { recursive: true });
    for (let file = 0; file < FILES_IN_DIRECTORY; file++) {
      Deno.writeTextFileSync(`${directory}/f${file}`, "");
    }
  }
  for (let count = 0; count < REPOSITORIES; count++) {
    makeRepository(`${root}/packages/p${count}/nested`);
  }
}
