// This module only runs code before `main`.
