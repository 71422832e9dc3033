/* What programs may use of a shared library; everything else stays inside it. A DLL exports all. */
#ifndef BBC_EXPORT_H
#define BBC_EXPORT_H

#if defined(__GNUC__) && !defined(_WIN32)
#define BBC_API __attribute__((visibility("default")))
#else
#define BBC_API
#endif

#endif /* BBC_EXPORT_H */
