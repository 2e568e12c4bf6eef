/* main.h - included before every test file, whose `main` is renamed (tests/CMakeLists.txt). */
int main(void);
